package dev.laurel.deploy.tools.replay;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.KafkaAccess;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What is to be replayed, and what becomes of it.
 *
 * @param kafka how to reach Kafka
 * @param ruleset a file with the rules to go by, null: those of the time
 * @param tenant whose rules the file has
 * @param whom to compare
 * @param isProof the live state is to be, byte for byte, what is found
 * @param partitions how many the log is to have afterwards; 0: as many as it has
 * @param clock of the instance
 * @param at the moment as of which both states are shown
 * @param top how many users the report names
 * @param stateDir where to work
 */
record ReplayPlan(KafkaAccess kafka, Path ruleset, TenantId tenant, FactsLook.Whom whom, boolean isProof,
        boolean isPromoted, int partitions, InstantSource clock, Instant at, int top, Path stateDir) {}
