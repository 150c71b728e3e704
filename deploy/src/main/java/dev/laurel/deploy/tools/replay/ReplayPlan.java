package dev.laurel.deploy.tools.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of a replay.
 *
 * @param kafka access to Kafka
 * @param draft the rules; null: the rules of the time
 * @param tenant tenant of the draft
 * @param selection users to compare
 * @param isForTenant whether people of one of several tenants read the report, which then has no numbers of the whole log
 * @param isProof whether the live state must equal the fold byte for byte
 * @param hasFiles whether the report has files, which have all differing users
 * @param partitions new number of partitions of the log; 0 to keep the number
 * @param clock clock of the instance
 * @param at moment at which both states are shown
 * @param top number of users in the report
 * @param stateDir folder for temporary state
 * @param sharing null: no other process takes part
 */
record ReplayPlan(
        KafkaAccess kafka,
        CandidateRuleset.@Nullable Source draft,
        TenantId tenant,
        UserSelection selection,
        boolean isForTenant,
        boolean isProof,
        boolean isPromoted,
        boolean hasFiles,
        int partitions,
        InstantSource clock,
        Instant at,
        int top,
        Path stateDir,
        Resources resources,
        @Nullable Sharing sharing) {

    static final Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * The replay that this process shares.
     *
     * @param options by name, in which all members must agree, apart from the draft
     */
    record Sharing(String id, Map<String, String> options) {

        /** Returns the number that names the topics and groups of the replay. */
        int number() {
            var sum = new CRC32();
            sum.update(id.getBytes(UTF_8));
            return (int) (sum.getValue() & Integer.MAX_VALUE);
        }
    }

    /**
     * Users to compare.
     *
     * @param tenant null: all tenants
     * @param users empty: all users
     */
    record UserSelection(@Nullable TenantId tenant, Set<UserKey> users) {

        boolean includes(UserKey user) {
            return (tenant == null || tenant.equals(user.tenant())) && (users.isEmpty() || users.contains(user));
        }
    }

    /**
     * What a replay may use of the machine.
     *
     * @param threads number of threads that read the log
     * @param rocksDbBytes memory for RocksDB, which all replays and nodes of a process share and must agree on
     */
    record Resources(int threads, long rocksDbBytes) {}

    /** Reports that the operator has stopped a replay before it was complete. */
    static final class Stopped extends CommandFailed {

        Stopped() {
            super("stopped; all temporary topics and files are deleted");
        }
    }
}
