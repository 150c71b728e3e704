package dev.laurel.schemas.wire;

/** The secret of a webhook (admin-api.md B5). */
public record SecretBody(String secret) {

    /** Without it: this may end up in a log. */
    @Override
    public String toString() {
        return "SecretBody[…]";
    }
}
