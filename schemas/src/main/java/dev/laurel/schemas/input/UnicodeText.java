package dev.laurel.schemas.input;

/**
 * Checks and cuts text. JSON can contain half of a surrogate pair ({@code "\ud83d"}), which UTF-8 encodes as a question mark, so
 * that different texts become equal. Names, ids and keys must therefore be well-formed.
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

    /** The first characters of a text, without cutting a surrogate pair in two. */
    public static String cut(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        boolean isInPair = maxLength > 0 && Character.isHighSurrogate(text.charAt(maxLength - 1));
        return text.substring(0, isInPair ? maxLength - 1 : maxLength);
    }
}
