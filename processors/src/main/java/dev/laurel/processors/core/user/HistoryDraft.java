package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.ruleset.StreakFrequency;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A user's history with the changes of one turn on top: what was written is read back. Changes are few, so they lie in a
 * list that is searched from its end.
 */
public final class HistoryDraft implements UserHistory {

    private final UserHistory stored;
    private final List<HistoryWrite> writes = new ArrayList<>(4);

    public HistoryDraft(UserHistory stored) {
        this.stored = stored;
    }

    /** @param changes already made on top of {@code stored} */
    public HistoryDraft(UserHistory stored, List<HistoryWrite> changes) {
        this.stored = stored;
        writes.addAll(changes);
    }

    List<HistoryWrite> writes() {
        return writes;
    }

    void putDay(int number, int day, DayBucket bucket) {
        var write = new HistoryWrite.PutDay(number, day, bucket);
        for (int i = writes.size() - 1; i >= 0; i--) {
            if (writes.get(i) instanceof HistoryWrite.PutDay(int n, int d, var _) && n == number && d == day) {
                writes.set(i, write);
                return;
            }
        }
        writes.add(write);
    }

    void putStreakBlock(StreakFrequency frequency, StreakBlock block) {
        var write = new HistoryWrite.PutStreakBlock(frequency, block);
        for (int i = writes.size() - 1; i >= 0; i--) {
            if (writes.get(i) instanceof HistoryWrite.PutStreakBlock(var f, var b) && f == frequency
                    && b.number() == block.number()) {
                writes.set(i, write);
                return;
            }
        }
        writes.add(write);
    }

    void putLedgerPage(int system, int page, List<Award> awards) {
        writes.add(new HistoryWrite.PutLedgerPage(system, page, awards));
    }

    void useIdempotencyKey(int metric, String key, UUID eventId) {
        writes.add(new HistoryWrite.UseIdempotencyKey(metric, key, eventId));
    }

    @Override
    public DayBucket day(int number, int day) {
        for (int i = writes.size() - 1; i >= 0; i--) {
            if (writes.get(i) instanceof HistoryWrite.PutDay(int n, int d, DayBucket bucket) && n == number
                    && d == day) {
                return bucket;
            }
        }
        return stored.day(number, day);
    }

    @Override
    public List<Day> days(int number, int first, int last) {
        List<Day> old = stored.days(number, first, last);
        TreeMap<Integer, Day> merged = null;
        for (HistoryWrite write : writes) {
            if (write instanceof HistoryWrite.PutDay(int n, int d, DayBucket bucket) && n == number && d >= first
                    && d <= last) {
                if (merged == null) {
                    merged = new TreeMap<>();
                    for (Day day : old) {
                        merged.put(day.day(), day);
                    }
                }
                merged.put(d, new Day(d, bucket));
            }
        }
        return merged == null ? old : List.copyOf(merged.values());
    }

    @Override
    public StreakBlock streakBlock(StreakFrequency frequency, int block) {
        for (int i = writes.size() - 1; i >= 0; i--) {
            if (writes.get(i) instanceof HistoryWrite.PutStreakBlock(var f, StreakBlock written) && f == frequency
                    && written.number() == block) {
                return written;
            }
        }
        return stored.streakBlock(frequency, block);
    }

    @Override
    public List<Award> ledgerPage(int system, int page) {
        for (int i = writes.size() - 1; i >= 0; i--) {
            if (writes.get(i) instanceof HistoryWrite.PutLedgerPage(int s, int p, List<Award> awards) && s == system
                    && p == page) {
                return awards;
            }
        }
        return stored.ledgerPage(system, page);
    }

    @Override
    public UUID eventWith(int metric, String idempotencyKey) {
        return stored.eventWith(metric, idempotencyKey);
    }

    @Override
    public CompiledRuleset rules(long version) {
        return stored.rules(version);
    }
}
