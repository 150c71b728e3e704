package dev.laurel.deploy.tools.doctor;

import dev.laurel.schemas.kind.Issue;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import java.util.List;
import java.util.Locale;

/**
 * Collected facts about a deployment.
 *
 * @param cluster null if Kafka could not be reached
 * @param servers servers that were asked
 * @param key null if no key is known
 * @param directory null if there is none on this machine
 * @param tools commands for this cluster
 */
public record Facts(ClusterFacts cluster, List<ServerFacts> servers, KeyFacts key, DirectoryFacts directory,
        RepairCommands tools) {

    public Facts {
        servers = List.copyOf(servers);
    }

    /**
     * Difference of another clock to that of this machine, as bounds in milliseconds. Positive is ahead. The bounds
     * allow for the time of the request and the resolution of the clock.
     */
    public record ClockFacts(long leastMs, long mostMs) {

        /**
         * @param shownMs time of the other clock
         * @param unitMs resolution: the actual time is up to this much later
         * @param askedMs time of this machine before the request
         * @param answeredMs time of this machine after the response
         */
        public static ClockFacts of(long shownMs, long unitMs, long askedMs, long answeredMs) {
            return new ClockFacts(shownMs - answeredMs, shownMs + unitMs - askedMs);
        }

        /** Returns the least difference in either direction, 0 if the clock may be right. */
        public long offMs() {
            return leastMs > 0 ? leastMs : mostMs < 0 ? -mostMs : 0;
        }

        public boolean isAhead() {
            return leastMs > 0;
        }
    }

    /**
     * The data directory of a process on this machine.
     *
     * @param owner null if the file system has no owners
     * @param user user of this process
     * @param openKey key file that others can read; null if there is none
     */
    public record DirectoryFacts(String path, String owner, String user, boolean isWritable, long freeBytes,
            long totalBytes, String openKey) {}

    /**
     * The admin key that the command uses.
     *
     * @param isGuessable whether it looks invented or copied from an example
     */
    public record KeyFacts(String prefix, boolean isGuessable) {

        private static final List<String> WORDS = List.of("changeme", "change-me", "example", "secret", "password",
                "default",
                "laurel", "0123456789");

        /** Random secrets of 32 letters and digits have more distinct characters. */
        private static final int DISTINCT_LEAST = 10;

        /** @param key key as given to servers; not kept */
        public static KeyFacts of(String key) {
            int dot = key.indexOf('.');
            String secret = key.substring(dot + 1).toLowerCase(Locale.ROOT);
            boolean isGuessable = secret.chars().distinct().count() < DISTINCT_LEAST
                    || WORDS.stream().anyMatch(secret::contains);
            return new KeyFacts(dot < 0 ? "" : key.substring(0, dot), isGuessable);
        }
    }

    /**
     * A process as seen over HTTP.
     *
     * @param unreachable reason why it does not answer; null if it does
     * @param health status of {@code /healthz}
     * @param ready status of {@code /readyz}
     * @param clock null if unknown
     * @param keyStatus status of a request with the admin key; 0 without a key
     * @param ruleset null if the process serves none or refuses the key
     * @param keys known keys; null if the process does not serve them
     */
    public record ServerFacts(String url, String unreachable, int health, int ready, Facts.ClockFacts clock,
            int keyStatus,
            RulesetFacts ruleset, List<AdminKeyBody> keys) {

        /** @param issues issues found by the present validation rules */
        public record RulesetFacts(long version, List<Issue> issues) {

            public RulesetFacts {
                issues = List.copyOf(issues);
            }
        }

        public ServerFacts {
            keys = keys == null ? null : List.copyOf(keys);
        }

        public static ServerFacts unreachable(String url, String why) {
            return new ServerFacts(url, why, 0, 0, null, 0, null, null);
        }
    }
}
