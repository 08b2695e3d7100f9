package dev.stoker.listing;

import dev.stoker.UsageException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern of paths below a folder: {@code *} and {@code ?} stay within a name, {@code **} crosses folders, {@code [abc]} is
 * one of these characters, <code>{a,b}</code> one of these words. Without a slash it is a pattern of names, wherever they are.
 */
final class PathGlob {
    private final Pattern pattern;
    private final boolean isOfNames;

    PathGlob(String glob) {
        String relative = glob.startsWith("./") ? glob.substring(2) : glob;
        if (relative.isEmpty() || relative.startsWith("/")) {
            throw new UsageException("the pattern '" + glob
                    + "' should be of paths relative to the source, such as '*.jpg' or 'train/**'");
        }
        isOfNames = relative.indexOf('/') < 0;
        try {
            pattern = Pattern.compile(regex(relative), Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            throw new UsageException("the pattern '" + glob + "' should have a ] for every [ and a } for every {");
        }
    }

    boolean matches(String path) {
        return pattern.matcher(isOfNames ? path.substring(path.lastIndexOf('/') + 1) : path)
                .matches();
    }

    private static String regex(String glob) {
        var regex = new StringBuilder();
        int braces = 0;
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            switch (c) {
                case '*' -> {
                    boolean crosses = glob.startsWith("**", i);
                    boolean isFolders = glob.startsWith("**/", i) && (i == 0 || glob.charAt(i - 1) == '/');
                    regex.append(isFolders ? "(?:.*/)?" : crosses ? ".*" : "[^/]*");
                    i += isFolders ? 2 : crosses ? 1 : 0;
                }
                case '?' -> regex.append("[^/]");
                case '[' -> {
                    int end = glob.indexOf(']', i + 2);
                    if (end < 0) {
                        throw new PatternSyntaxException("unclosed", glob, i);
                    }
                    String inside = glob.substring(i + 1, end)
                            .replace("\\", "\\\\")
                            .replace("[", "\\[")
                            .replace("&", "\\&");
                    regex.append(inside.startsWith("!") ? "[^/" + inside.substring(1) : "[" + inside)
                            .append(']');
                    i = end;
                }
                case '{' -> {
                    braces++;
                    regex.append("(?:");
                }
                case '}' -> regex.append(braces-- > 0 ? ")" : "\\}");
                case ',' -> regex.append(braces > 0 ? "|" : ",");
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.toString();
    }
}
