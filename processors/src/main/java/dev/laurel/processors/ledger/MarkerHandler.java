package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.ledger.LedgerMeters.End;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.RulesetHeader;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Handles the markers of one partition of the log: rulesets, ticks, holds and generations. A ruleset also comes into force with the
 * first command that it has admitted, see {@link RulesetHeader}. One task, one thread.
 */
record MarkerHandler(
        PartitionRulesets rulesets,
        TickHandler ticks,
        LogCursor cursor,
        LedgerOutput output,
        LedgerMeters meters,
        LogLayout layout) {

    void handle(Record<byte[], byte[]> record, LogCommand marker) {
        switch (marker) {
            case RulesetPublished(TenantId tenant, long version) -> onRuleset(record, tenant, version);
            case Tick _ -> {
                meters.count(End.MARKER);
                ticks.onTick(record);
            }
            case TimersHeld(String hold) -> {
                meters.count(End.MARKER);
                ticks.hold(hold);
            }
            case TimersReleased(String hold) -> {
                meters.count(End.MARKER);
                ticks.release(hold);
            }
            case GenerationPromoted(int generation) -> onPromotion(record, generation);
        }
    }

    private void onRuleset(Record<byte[], byte[]> record, TenantId tenant, long version) {
        if (version > rulesets.inForce(tenant).version()) {
            // The marker and the document are written in one transaction, so a marker without a document is not
            // Laurel's.
            CompiledRuleset rules = rulesets.find(tenant, version);
            if (rules == null) {
                output.reject(record, "no ruleset of version " + version + " was ever published");
                return;
            }
            putInForce(tenant, rules, record.timestamp());
        }
        // Otherwise a stamp came first, or a task and the ruleset writer have both written the marker.
        meters.count(End.MARKER);
    }

    /**
     * Judges the header of a command: brings the version into force that has admitted it, unless that or a newer one is.
     *
     * @return false if no rules can judge the command: it has been rejected
     */
    boolean admit(Record<byte[], byte[]> record, TenantId tenant) {
        long version = RulesetHeader.read(record.headers());
        if (version == RulesetHeader.NONE) {
            return isJudgedUnstamped(record, tenant);
        }
        if (version == RulesetHeader.INVALID) {
            output.reject(record, "the header laurel-ruleset must be the version of a ruleset as decimal digits");
            return false;
        }
        rulesets.noteStamp(tenant);
        if (version <= rulesets.inForce(tenant).version()) {
            return true;
        }
        // Gateways read committed documents, so a stamp without a document is not Laurel's.
        CompiledRuleset rules = rulesets.find(tenant, version);
        if (rules == null) {
            output.reject(record, "the header laurel-ruleset names version " + version + ", which was never published");
            return false;
        }
        putInForce(tenant, rules, rules.publishedMs());
        return true;
    }

    /**
     * Whether a command without a stamp is judged. Markers of tenants are only where their users are, so the first user here of a program
     * that writes to the log itself would be judged without rules. Logs from before there were stamps have all markers, and gateways of
     * that time wait for answers.
     */
    private boolean isJudgedUnstamped(Record<byte[], byte[]> record, TenantId tenant) {
        if (tenant.equals(TenantId.NONE)
                || rulesets.inForce(tenant).version() > 0
                || !rulesets.areStamped()
                || ReplyHeaders.read(record.headers()) != null) {
            return true;
        }
        output.reject(
                record,
                "no ruleset of tenant '" + tenant + "' is in force in this partition yet: add the header "
                        + "laurel-ruleset with the version of its ruleset, or 0 if it has none");
        return false;
    }

    private void putInForce(TenantId tenant, CompiledRuleset rules, long atMs) {
        CompiledRuleset former = rulesets.inForce(tenant);
        rulesets.putInForce(tenant, rules);
        ticks.rulesChanged(tenant, former, rules, atMs);
        boolean isHome = layout.partitionOf(tenant.bytes()) == cursor.partition();
        output.scores()
                .sendRules(new LeaderboardMessage.RulesPublished(tenant, rules.version()), former, rules, isHome, atMs);
    }

    private void onPromotion(Record<byte[], byte[]> record, int generation) {
        switch (cursor.readMarker(generation)) {
            case UNKNOWN -> output.reject(record, "no generation " + generation + " was ever promoted here");
            case OTHER -> {
                // Every generation, earlier or later, reads the same marker.
            }
            case BEGIN -> {
                cursor.beginOutput();
                output.scores().sendAll(new LeaderboardMessage.GenerationBegan(), record.timestamp(), null);
            }
            case END -> cursor.endOutput();
        }
    }
}
