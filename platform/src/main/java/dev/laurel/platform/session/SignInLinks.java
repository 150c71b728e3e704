package dev.laurel.platform.session;

import dev.laurel.platform.access.Signed;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One-time tokens for sign-in, which only this process knows and which are lost when it ends. A token is found by its text: it is too
 * long and lives too briefly for a comparison to reveal it by its duration. Thread-safe.
 */
public final class SignInLinks {

    /** The time in which a link can be used. */
    public static final Duration LIFE = Duration.ofMinutes(15);

    /** The maximum number of unused links; a further one replaces the oldest. */
    private static final int MAX_LINKS = 100;

    private final SecureRandom random = new SecureRandom();
    private final InstantSource clock;
    private final Map<String, Instant> expiries = new LinkedHashMap<>();

    /** @param clock gives the time of day */
    public SignInLinks(InstantSource clock) {
        this.clock = clock;
    }

    /** The console's path for sign-in with a new token. */
    public synchronized String newPath() {
        if (expiries.size() >= MAX_LINKS) {
            Iterator<String> oldest = expiries.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        String token = Signed.randomText(random);
        expiries.put(token, clock.instant().plus(LIFE));
        return "/console/#/sign-in?link=" + token;
    }

    /** Uses a token up. @return false if this process has not made it, or it was used, or has expired */
    synchronized boolean use(String token) {
        Instant expires = expiries.remove(token);
        return expires != null && clock.instant().isBefore(expires);
    }
}
