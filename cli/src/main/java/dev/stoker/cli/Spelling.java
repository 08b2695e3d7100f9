package dev.stoker.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what a mistyped word was meant to be. */
final class Spelling {
    private static final int MAX_EDITS = 2;

    private Spelling() {}

    /** The one of {@code words} that is at most two insertions, deletions or substitutions away, and the nearest. */
    static Optional<String> closest(String typed, Collection<String> words) {
        return words.stream()
                .filter(word -> edits(typed, word) <= Math.min(MAX_EDITS, word.length() - 1))
                .min(Comparator.comparingInt(word -> edits(typed, word)));
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
