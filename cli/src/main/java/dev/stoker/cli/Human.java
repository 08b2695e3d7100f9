package dev.stoker.cli;

import dev.stoker.text.Figures;
import dev.stoker.text.Sizes;

/** Numbers as people read them. */
final class Human {
    private Human() {}

    static String bytes(double bytes) {
        return Sizes.human(bytes);
    }

    static String count(long count) {
        return Figures.count(count);
    }

    static String rate(double perSecond) {
        return Figures.rate(perSecond);
    }

    static String seconds(double seconds) {
        return Figures.seconds(seconds);
    }
}
