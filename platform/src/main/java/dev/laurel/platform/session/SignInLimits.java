package dev.laurel.platform.session;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RateLimits;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.TimeMeter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;

/**
 * Limits the failed tries to sign in, of each address and of all: behind a proxy, all addresses are that of the proxy. Each process
 * counts for itself. Thread-safe.
 */
final class SignInLimits {

    static final int PER_ADDRESS = 10;
    static final int TOTAL = 60;

    /** The part of an IPv6 address that its user cannot choose. */
    private static final int NETWORK_BYTES = 8;

    private final RateLimits.PerMinute<String> limits;

    SignInLimits(TimeMeter clock) {
        this.limits = new RateLimits.PerMinute<>(
                clock,
                PER_ADDRESS,
                Bandwidth.builder()
                        .capacity(TOTAL)
                        .refillGreedy(TOTAL, Duration.ofMinutes(1))
                        .build());
    }

    /**
     * Counts a try before it is made, so that simultaneous ones cannot exceed the limits.
     *
     * @param address of the client, as digits
     * @throws HttpRefusal 429 if it exceeds a limit
     */
    void begin(String address) {
        int retryAfterS = limits.retryAfterS(networkOf(address));
        if (retryAfterS > 0) {
            throw HttpRefusal.tooMany("Too many failed tries to sign in. Try again later.", retryAfterS);
        }
    }

    /** Takes a try back that has not failed. */
    void uncount(String address) {
        limits.uncount(networkOf(address));
    }

    private static String networkOf(String address) {
        try {
            InetAddress parsed = InetAddress.getByName(address);
            return parsed instanceof Inet6Address
                    ? Arrays.toString(Arrays.copyOf(parsed.getAddress(), NETWORK_BYTES))
                    : address;
        } catch (UnknownHostException _) {
            return address;
        }
    }
}
