package dev.stoker.feed;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** For the JDK's flight recorder: the consumer of a feed waited. */
@Name("stoker.Wait")
@Label("Wait")
@Category({"Stoker", "Feed"})
@Description("The consumer of a feed, a training, waited for a batch")
@StackTrace(false)
final class WaitEvent extends Event {
    @Label("Samples")
    int samples;
}
