package dev.stoker.stage;

/** How data come to a program. */
public enum StagingMode {
    /** Copied into the node's memory. */
    shm,
    /** Copied to the node's disk. */
    local,
    /** Mounted from where they are. */
    mount,
    /** Read from where they are. */
    direct,
    /** The first of these that does. */
    auto
}
