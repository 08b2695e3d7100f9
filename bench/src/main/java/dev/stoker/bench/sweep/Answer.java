package dev.stoker.bench.sweep;

/** A question that a sweep asks, and what its figures say. */
public record Answer(String question, String sentence) {}
