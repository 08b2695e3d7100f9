package dev.stoker.image.transform;

/** A source that can shrink its picture by 2, 4 or 8 while decoding, for less work. */
public interface Shrinkable {
    /** From now on, boxes count in shrunk pixels. */
    void shrink(int by);
}
