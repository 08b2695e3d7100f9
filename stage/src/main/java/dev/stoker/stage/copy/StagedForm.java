package dev.stoker.stage.copy;

/** What a program finds where the data are staged. */
public enum StagedForm {
    /** The container itself. */
    FILE,
    /** The loose files of a folder, an archive or a container. */
    TREE,
    /** The loose files of a container that is mounted. */
    MOUNT
}
