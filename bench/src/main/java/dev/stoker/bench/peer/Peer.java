package dev.stoker.bench.peer;

import java.util.List;
import java.util.Set;

/**
 * One who may take part.
 *
 * @param title as the table calls it
 * @param script below {@code bench/python/peers}; empty for the feed in Java
 * @param variant what the script is told, where it serves several
 * @param environment where it runs; empty for the feed in Java
 * @param install what {@code pip install} is told, beyond what the environment has
 */
public record Peer(
        String name,
        String title,
        Set<Job> jobs,
        String script,
        String variant,
        String environment,
        List<String> install) {}
