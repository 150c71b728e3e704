package dev.laurel.schemas.wire;

/** The picture of an object in the admin API (admin-api.md A1). @param url absolute, http or https */
public record BadgeBody(String url) {

    /** Null if there is no address. */
    public static BadgeBody of(String url) {
        return url == null ? null : new BadgeBody(url);
    }
}
