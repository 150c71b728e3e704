package dev.laurel.deploy.roles;

import dev.laurel.processors.Boards;
import dev.laurel.processors.Generations;
import dev.laurel.processors.Ledger;
import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.NodeId;
import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.processors.stream.LedgerMeters;
import dev.laurel.query.QueryService;
import dev.laurel.query.peer.PeerMeters;
import dev.laurel.query.peer.Peers;
import dev.laurel.schemas.http.Routes;
import java.nio.file.Path;
import java.util.Map;

/** A node: the ledger, the leaderboards, the writer of rulesets, and the reads of all that. */
public final class NodeRole implements Role {

    private final RoleProcess process;
    private final Ledger ledger;
    private final Boards boards;
    private final QueryService queries;

    private NodeRole(RoleProcess process, Ledger ledger, Boards boards, QueryService queries) {
        this.process = process;
        this.ledger = ledger;
        this.boards = boards;
        this.queries = queries;
    }

    /**
     * Starts everything, and waits for nothing but the small topics.
     *
     * @param stateDir of the stores, and of who this node is
     * @param settings of {@link LedgerConfig}, but for where Kafka is and where the stores are
     * @param peers how it reaches other nodes; null: it is the only one
     */
    public static NodeRole start(RoleProcess process, FollowedTables tables, Path stateDir,
            Map<String, Object> settings, Peers peers) throws InterruptedException {
        LedgerConfig config = config(process, stateDir, settings);
        NodeId node = NodeId.keptIn(stateDir);
        var client = process.kafka().client();
        StartedParts parts = process.parts();
        var generations = parts.add(Generations.start(config, node, tables.rulesets(), tables.generations(),
                process.clock(), process.tracing(), process.metrics(), process.fault()::complete));
        Ledger ledger = generations.ledger();
        Boards boards = generations.boards();
        parts.add(new RulesetWriter(client, node, tables.rulesets(), tables.access(), tables.generations(),
                process.clock(),
                process.fault()::complete)).start();
        LedgerMeters.register(parts.add(process.metrics().scope()), generations::shown,
                () -> tables.generations().all().values());
        var calls = parts.add(new PeerMeters(process.metrics()));
        var queries = parts.add(new QueryService(ledger, boards, tables.rulesets(), tables.access(), process.clock(),
                peers, calls, process.tracing()));
        return new NodeRole(process, ledger, boards, queries);
    }

    private static LedgerConfig config(RoleProcess process, Path stateDir, Map<String, Object> settings) {
        Map<String, Object> values = process.kafka().withSettings(settings);
        values.put(LedgerConfig.STATE_DIR, stateDir.toString());
        return new LedgerConfig(values);
    }

    /** Waits until reads show everything that was in the log when they could first be answered. */
    @Override
    public void awaitReady() throws InterruptedException {
        process.await("ledger", ledger::awaitReady, ledger.catchUp());
        process.await("boards", boards::awaitReady, boards.catchUp());
    }

    /** Whether what is assigned to this node can be read here. Thread-safe. */
    @Override
    public boolean isReady() {
        return ledger.isReady() && boards.isReady();
    }

    @Override
    public Routes routes() {
        return queries.routes();
    }

    public Ledger ledger() {
        return ledger;
    }

    /** What a delivery in the same process needs of this node. */
    public DeliveryRole.Sources forDelivery() {
        return new DeliveryRole.Sources(ledger.rulesets(), queries.lookups());
    }
}
