package dev.stoker.image.jpeg;

/** One channel of the picture as it is stored, and the plane of samples that is decoded from it. */
final class Component {
    int id;
    /** Blocks of this component in one MCU, across and down. */
    int h;

    int v;
    int quantIndex;
    /** In zigzag order, taken over when the component's first scan begins: a later scan may redefine the table. */
    final int[] quantisers = new int[64];

    boolean quantised;

    HuffmanTable dcTable = HuffmanTable.NONE;
    HuffmanTable acTable = HuffmanTable.NONE;

    /** Side of a decoded block: 8, or less when decoding at a smaller scale. */
    int blockSize;
    /** Samples of the whole picture at the decoded scale. */
    int width;

    int height;

    /** Samples of the region; its first sample is (originX, originY) of the whole. */
    byte[] plane = new byte[0];

    int stride;
    int originX;
    int originY;

    Upsampling upsampling = Upsampling.NONE;
    /** Pixels per sample, across and down. */
    int stretchX;

    int stretchY;

    /** How the samples become as many as the picture has pixels; the choice is libjpeg-turbo's. */
    enum Upsampling {
        NONE,
        TRIANGLE_H2,
        TRIANGLE_V2,
        TRIANGLE_H2V2,
        REPEAT
    }
}
