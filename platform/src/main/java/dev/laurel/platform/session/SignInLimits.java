package dev.laurel.platform.session;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RateLimits;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits the failed tries to sign in, of each address and of all: behind a proxy, all addresses are that of the proxy. Each process
 * counts for itself. Thread-safe.
 */
final class SignInLimits {

    static final int PER_ADDRESS = 10;
    static final int TOTAL = 60;
    private static final Duration TIME = Duration.ofMinutes(1);

    /** The maximum number of addresses with counters. At this number, all counters are reset; the total limit still applies. */
    private static final int MAX_ADDRESSES = 10_000;

    /** The part of an IPv6 address that its user cannot choose. */
    private static final int NETWORK_BYTES = 8;

    private final TimeMeter clock;
    private final Bucket total;
    private final Map<String, Bucket> addresses = new ConcurrentHashMap<>();

    SignInLimits(TimeMeter clock) {
        this.clock = clock;
        this.total = bucket(TOTAL);
    }

    private Bucket bucket(int perMinute) {
        return Bucket.builder().withCustomTimePrecision(clock)
                .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, TIME)).build();
    }

    /** A try that has been counted. */
    final class Try {

        private final Bucket own;

        private Try(Bucket own) {
            this.own = own;
        }

        /** Takes the try back from the counters, because it has not failed. */
        void uncount() {
            own.addTokens(1);
            total.addTokens(1);
        }
    }

    /**
     * Counts a try before it is made, so that simultaneous ones cannot exceed the limits.
     *
     * @param address of the client, as digits
     * @throws HttpRefusal 429 if it exceeds a limit
     */
    Try begin(String address) {
        if (addresses.size() >= MAX_ADDRESSES) {
            addresses.clear();
        }
        Bucket own = addresses.computeIfAbsent(networkOf(address), _ -> bucket(PER_ADDRESS));
        expectWithin(RateLimits.retryAfterS(own));
        int retryAfterS = RateLimits.retryAfterS(total);
        if (retryAfterS > 0) {
            own.addTokens(1);
        }
        expectWithin(retryAfterS);
        return new Try(own);
    }

    private static void expectWithin(int retryAfterS) {
        if (retryAfterS > 0) {
            throw HttpRefusal.tooMany("Too many failed tries to sign in. Try again later.", retryAfterS);
        }
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
