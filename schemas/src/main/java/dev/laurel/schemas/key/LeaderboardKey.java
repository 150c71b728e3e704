package dev.laurel.schemas.key;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The record key of effects of a leaderboard: {@code tenant//leaderboard}, or {@code //leaderboard} if multi-tenancy is off, with
 * {@code /} and {@code %} in the tenant percent-encoded. Differs from every {@link UserKey}, which has at most one {@code /}.
 *
 * @param leaderboard key of the leaderboard
 */
public record LeaderboardKey(TenantId tenant, String leaderboard) {

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
