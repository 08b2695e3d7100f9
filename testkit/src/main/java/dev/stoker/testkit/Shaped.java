package dev.stoker.testkit;

/** A value of an array field: its dimensions and its numbers in canonical bytes. */
public record Shaped(long[] shape, byte[] bytes) {}
