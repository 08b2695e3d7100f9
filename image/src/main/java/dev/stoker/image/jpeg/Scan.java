package dev.stoker.image.jpeg;

/** What one SOS marker announces. */
final class Scan {
    final Component[] components = new Component[4];
    int componentCount;
    int spectralStart;
    int spectralEnd;
    int approximationHigh;
    int approximationLow;
    /** Where the marker is, for messages, and where its entropy-coded data begins. */
    int marker;

    int data;
}
