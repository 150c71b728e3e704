package dev.laurel.processors.ledger;

import dev.laurel.processors.core.leaderboard.BoardMessage;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.ledger.LedgerMeters.End;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import org.apache.kafka.streams.processor.api.Record;

/** Handles the markers of one partition of the log: rulesets, ticks, holds and generations. One task, one thread. */
final class MarkerHandler {

    private final PartitionRulesets rulesets;
    private final TickHandler ticks;
    private final LogCursor cursor;
    private final LedgerOutput output;
    private final LedgerMeters meters;

    MarkerHandler(PartitionRulesets rulesets, TickHandler ticks, LogCursor cursor, LedgerOutput output,
            LedgerMeters meters) {
        this.rulesets = rulesets;
        this.ticks = ticks;
        this.cursor = cursor;
        this.output = output;
        this.meters = meters;
    }

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
        // The marker and the document are written in one transaction, so a marker without a document is not Laurel's.
        CompiledRuleset rules = rulesets.find(tenant, version);
        if (rules == null) {
            output.reject(record, "no ruleset of version " + version + " was ever published");
            return;
        }
        CompiledRuleset former = rulesets.inForce(tenant);
        if (version < former.version()) {
            // Users migrate from version to version in ascending order only.
            output.reject(record, "ruleset version " + version + " is older than " + former.version()
                    + ", which is in force");
            return;
        }
        meters.count(End.MARKER);
        rulesets.putInForce(tenant, rules);
        ticks.rulesChanged(tenant, former, rules, record.timestamp());
        output.sendToBoards(new BoardMessage.RulesPublished(tenant, version), record.timestamp(), null);
    }

    private void onPromotion(Record<byte[], byte[]> record, int generation) {
        switch (cursor.readMarker(generation)) {
            case UNKNOWN -> output.reject(record, "no generation " + generation + " was ever promoted here");
            case OTHER -> {
                // Every generation, earlier or later, reads the same marker.
            }
            case BEGIN -> {
                cursor.beginOutput();
                output.sendToBoards(new BoardMessage.GenerationBegan(), record.timestamp(), null);
            }
            case END -> cursor.endOutput();
        }
    }
}
