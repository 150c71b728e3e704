package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardFloors;
import dev.laurel.processors.store.LedgerStores;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Makes the command processor of each task, with the stores it owns. */
public final class CommandProcessorSupplier implements ProcessorSupplier<byte[], byte[], Object, Object> {

    private final RulesetVersions rulesets;
    private final Ticks ticks;
    private final LogLayout layout;
    private final BoardFloors floors;
    private final BoardLayout boards;
    private final AccountViews accounts;
    private final Outlets outlets;
    private final LedgerMeters meters;
    private final Telling telling;
    private final boolean isCached;
    private final boolean isLogged;

    /**
     * @param accounts where each task shows what it knows of all its users; null if nobody asks
     * @param meters count what is processed
     * @param telling what it tells of
     * @param isCached whether the stores hold changes back in a record cache
     * @param isLogged whether they have changelogs
     */
    public CommandProcessorSupplier(RulesetVersions rulesets, Ticks ticks, LogLayout layout, BoardFloors floors,
            BoardLayout boards, AccountViews accounts, Outlets outlets, LedgerMeters meters, Telling telling,
            boolean isCached, boolean isLogged) {
        this.telling = telling;
        this.isCached = isCached;
        this.isLogged = isLogged;
        this.rulesets = rulesets;
        this.ticks = ticks;
        this.layout = layout;
        this.floors = floors;
        this.boards = boards;
        this.accounts = accounts;
        this.outlets = outlets;
        this.meters = meters;
    }

    @Override
    public Processor<byte[], byte[], Object, Object> get() {
        return new CommandProcessor(rulesets, ticks, layout, floors, boards, accounts, outlets, meters, telling);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        Set<StoreBuilder<?>> stores = LedgerStores.builders(isCached);
        if (!isLogged) {
            stores.forEach(StoreBuilder::withLoggingDisabled);
        }
        return stores;
    }
}
