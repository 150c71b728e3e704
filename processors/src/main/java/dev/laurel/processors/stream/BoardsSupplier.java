package dev.laurel.processors.stream;

import dev.laurel.processors.store.BoardStores;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Makes the score processor of each task, with the stores it owns. */
public final class BoardsSupplier implements ProcessorSupplier<byte[], byte[], Object, Object> {

    private final RulesetVersions rulesets;
    private final BoardViews views;
    private final BoardLayout layout;
    private final int logPartitions;
    private final BoardOutlets outlets;
    private final Telling telling;
    private final boolean isLogged;

    /**
     * @param telling what the generation tells of
     * @param isLogged whether the stores have changelogs
     */
    public BoardsSupplier(RulesetVersions rulesets, BoardViews views, BoardLayout layout, int logPartitions,
            BoardOutlets outlets, Telling telling, boolean isLogged) {
        this.rulesets = rulesets;
        this.views = views;
        this.layout = layout;
        this.logPartitions = logPartitions;
        this.outlets = outlets;
        this.telling = telling;
        this.isLogged = isLogged;
    }

    @Override
    public Processor<byte[], byte[], Object, Object> get() {
        return new ScoreProcessor(rulesets, views, layout, logPartitions, outlets, telling);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        Set<StoreBuilder<?>> stores = BoardStores.builders();
        if (!isLogged) {
            stores.forEach(StoreBuilder::withLoggingDisabled);
        }
        return stores;
    }
}
