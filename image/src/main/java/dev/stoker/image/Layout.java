package dev.stoker.image;

/** The order of the axes of a picture in a batch: height, width, channel or channel, height, width. */
public enum Layout {
    HWC,
    CHW
}
