package dev.stoker.feed;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** For the JDK's flight recorder: a thread of a feed had nothing to do. */
@Name("stoker.Idle")
@Label("Idle")
@Category({"Stoker", "Feed"})
@Description("A thread of a feed had nothing to do: the data waited for the training")
@StackTrace(false)
final class IdleEvent extends Event {}
