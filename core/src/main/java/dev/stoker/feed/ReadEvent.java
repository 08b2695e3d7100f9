package dev.stoker.feed;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** For the JDK's flight recorder: a thread read and decoded some samples of a batch. */
@Name("stoker.Read")
@Label("Read")
@Category({"Stoker", "Feed"})
@Description("A thread read and decoded a piece of a batch")
@StackTrace(false)
final class ReadEvent extends Event {
    @Label("Samples")
    int samples;

    @Label("Bytes of the whole batch")
    @DataAmount
    long batchBytes;

    @Label("Decoding")
    @Timespan
    long decodeNanos;
}
