package dev.stoker.feed;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** For the JDK's flight recorder: a thread planned a batch. */
@Name("stoker.Batch")
@Label("Batch")
@Category({"Stoker", "Feed"})
@Description("A thread found out which samples a batch has and where their values go")
@StackTrace(false)
final class BatchEvent extends Event {
    @Label("Samples")
    int samples;

    @Label("Epoch")
    long epoch;
}
