package dev.laurel.schemas.input;

/**
 * Text that UTF-8 can carry. JSON may spell half of a surrogate pair ({@code "\ud83d"}); in bytes it becomes a
 * question mark, so two texts would become one. Names, ids and keys therefore must be well-formed.
 */
public final class UnicodeText {

    private UnicodeText() {}

    public static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }

    /** At most {@code maxLength} characters from the start of {@code text}, no surrogate pair cut in two. */
    public static String cut(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        boolean isInPair = maxLength > 0 && Character.isHighSurrogate(text.charAt(maxLength - 1));
        return text.substring(0, isInPair ? maxLength - 1 : maxLength);
    }
}
