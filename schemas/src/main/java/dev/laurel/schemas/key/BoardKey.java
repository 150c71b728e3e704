package dev.laurel.schemas.key;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What facts about a leaderboard are keyed by: {@code tenant//leaderboard}, or {@code //leaderboard} where multi-tenancy is
 * off, with {@code /} and {@code %} in the tenant percent-encoded. A {@link UserKey} has one {@code /} at most, so the two
 * are never the same.
 *
 * @param leaderboard its key
 */
public record BoardKey(TenantId tenant, String leaderboard) {

    private static final String SEPARATOR = "//";

    public String text() {
        return UserKey.encode(tenant.value()) + SEPARATOR + leaderboard;
    }

    public byte[] bytes() {
        return text().getBytes(UTF_8);
    }

    @Override
    public String toString() {
        return text();
    }
}
