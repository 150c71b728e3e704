package dev.laurel.deploy.roles;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.processors.generation.NodeGenerations;
import dev.laurel.processors.intake.DirectIntake;
import dev.laurel.processors.ledger.LedgerMeters;
import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.processors.runtime.CounterFollower;
import dev.laurel.processors.runtime.Leaderboards;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.query.http.QueryService;
import dev.laurel.query.peer.PeerClient.PeerMeters;
import dev.laurel.query.peer.PeerClient.PeerSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The node role: the ledger, the leaderboards, the ruleset writer, the intake of direct producers, and reads of all of them. */
final class NodeRole implements Role {

    private final RoleProcess process;
    private final NodeGenerations generations;
    private final QueryService queries;

    /**
     * Starts the role; waits for the compacted topics only.
     *
     * @param config its folder is for stores and for the id of this node
     * @param peers null: no other nodes
     */
    NodeRole(RoleProcess process, FollowedTables tables, LedgerConfig config, @Nullable PeerSettings peers)
            throws InterruptedException {
        this.process = process;
        Path stateDir = config.streams().stateDir();
        NodeId node = NodeId.keptIn(stateDir);
        var client = process.kafka().clientProperties();
        CloseStack parts = process.parts();
        generations = parts.add(NodeGenerations.start(
                config,
                node,
                tables.rulesets(),
                tables.generations(),
                process.clock(),
                process.tracing(),
                process.tails(),
                process.gateway(),
                process.metrics(),
                process.fault()::complete));
        Ledger ledger = generations.ledger();
        Leaderboards boards = generations.boards();
        process.shown().addRole("node");
        process.shown().identify(node.value(), stateDir);
        process.shown().addMembers("ledger", ledger::members);
        process.shown().addMembers("boards", boards::members);
        process.shown().addSetting("peers", peers == null ? "none" : peers.advertised());
        MeterScope meters = parts.add(process.metrics().scope());
        LedgerMeters.register(
                meters, generations::shown, () -> tables.generations().all().values());
        var calls = parts.add(new PeerMeters(process.metrics()));
        var delivery = parts.add(CounterFollower.followApplication(
                config, DeliveryConfig.APPLICATION_ID, meters, process.fault()::complete));
        queries = parts.add(new QueryService(
                ledger,
                boards,
                delivery,
                tables.rulesets(),
                tables.access(),
                client,
                process.clock(),
                peers,
                calls,
                process.tracing()));
        parts.add(new RulesetWriter(
                        client,
                        node,
                        tables.rulesets(),
                        tables.access(),
                        tables.generations(),
                        queries::counted,
                        ledger::withUsersOf,
                        process.clock(),
                        process.fault()::complete))
                .start();
        parts.add(new DirectIntake(
                        client,
                        node,
                        tables.access(),
                        tables.rulesets(),
                        tables.generations(),
                        process.clock(),
                        process.metrics(),
                        process.fault()::complete))
                .start();
    }

    /** Waits until reads reflect all records that were in the log when reads became possible. */
    @Override
    public void awaitReady() throws InterruptedException {
        Ledger ledger = ledger();
        Leaderboards boards = generations.boards();
        process.awaitFold(generations::awaitFolded, ledger::catchUp);
        process.await("ledger", ledger::awaitReady, ledger.catchUp());
        process.await("boards", boards::awaitReady, boards.catchUp());
    }

    /** Returns whether the partitions assigned to this node can be read here. Thread-safe. */
    @Override
    public boolean isReady() {
        return generations.isFolded()
                && ledger().isReady()
                && generations.boards().isReady();
    }

    @Override
    public Routes routes() {
        return queries.routes();
    }

    /** Begins to stop the ledger and the leaderboards, so that other roles can stop meanwhile. Reads fail from then on. */
    void beginClose() {
        generations.beginClose();
    }

    Ledger ledger() {
        return generations.ledger();
    }

    /** Returns what a delivery role in the same process needs. */
    DeliveryRole.Sources forDelivery() {
        return new DeliveryRole.Sources(ledger().rulesets(), queries.lookups());
    }
}
