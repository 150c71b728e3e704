package dev.laurel.platform.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.platform.http.RateLimits;
import dev.laurel.schemas.key.UserKey;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EmailLinkLimitsTest {

    private static final UserKey IDA = UserKey.of("ida");

    private long nowNs;
    private final RateLimits.PerMinute<UserKey> limits = EmailLinkPage.limits(EmailLinkPage.CHANGES, new TimeMeter() {
        @Override
        public long currentTimeNanos() {
            return nowNs;
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    });

    @Test
    void shouldAcceptAFewRequestsOfAUserPerMinute() {
        assertEquals(
                5,
                IntStream.range(0, 20).filter(_ -> limits.retryAfterS(IDA) == 0).count());
        assertEquals(12, limits.retryAfterS(IDA));
        assertEquals(0, limits.retryAfterS(UserKey.of("olga")));

        nowNs += Duration.ofSeconds(12).toNanos();
        assertEquals(0, limits.retryAfterS(IDA));
    }

    @Test
    void shouldLimitTheRequestsOfAllUsers() {
        assertEquals(
                1_000,
                IntStream.range(0, 1_500)
                        .filter(n -> limits.retryAfterS(UserKey.of("u" + n)) == 0)
                        .count());
        assertEquals(1, limits.retryAfterS(IDA));

        nowNs += Duration.ofSeconds(1).toNanos();
        assertEquals(
                100,
                IntStream.range(0, 500)
                        .filter(n -> limits.retryAfterS(UserKey.of("v" + n)) == 0)
                        .count());
    }
}
