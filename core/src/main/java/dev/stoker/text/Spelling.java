package dev.stoker.text;

import dev.stoker.UsageException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Guesses what a mistyped word was meant to be. */
public final class Spelling {
    private static final int MAX_EDITS = 2;

    private Spelling() {}

    /** The nearest of {@code words} that is at most two insertions, deletions, substitutions or swaps of neighbours away. */
    public static Optional<String> closest(String typed, Collection<String> words) {
        return words.stream()
                .filter(word -> distance(typed, word) <= Math.min(MAX_EDITS, word.length() - 1))
                .min(Comparator.comparingInt(word -> distance(typed, word)));
    }

    /** What to add to a sentence about an unknown word: the closest known one, or nothing. */
    public static String hint(String typed, Collection<String> words) {
        return closest(typed, words)
                .map(word -> "; did you mean '" + word + "'?")
                .orElse("");
    }

    /** Parses a word; where that fails and the word is not one of {@code words}, the failure suggests the closest. */
    public static <T> T orSuggest(String typed, Collection<String> words, Supplier<T> parse) {
        try {
            return parse.get();
        } catch (UsageException e) {
            String hint = words.contains(typed) ? "" : hint(typed, words);
            throw hint.isEmpty() ? e : new UsageException(e.getMessage() + hint, e);
        }
    }

    /** Edits, of which one that changes the case alone is none. */
    private static int distance(String typed, String word) {
        return edits(typed.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT));
    }

    private static int edits(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : fewest(edits, a, i, b, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int fewest(int[][] edits, String a, int i, String b, int j) {
        int substituted = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int fewest = Math.min(substituted, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean isSwap = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return isSwap ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
    }
}
