package dev.laurel.schemas.template;

/** HTML that goes into other HTML as it is: of our own making, or rendered by {@link TextTemplate#html}. */
public record Markup(String html) implements CharSequence {

    @Override
    public int length() {
        return html.length();
    }

    @Override
    public char charAt(int index) {
        return html.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return html.subSequence(start, end);
    }

    @Override
    public String toString() {
        return html;
    }
}
