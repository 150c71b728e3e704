package dev.laurel.query.http;

import dev.laurel.platform.http.BodyLimits;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.http.Relay.PeerRelay;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.partition.DeliveryQuery;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.peer.PeerRequest;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /internal/ask}: answers the {@link PeerRequest}s of other processes. It requires the peer key. Only this process
 * answers a query about given partitions, so no request is forwarded twice.
 */
record PeerRequestRoutes(Function<PeerRequest, @Nullable Record> answering) implements Routes {

    /** @param nodes all nodes, for requests that name no partitions */
    static PeerRequestRoutes ofNode(LocalNode node, Nodes nodes) {
        return new PeerRequestRoutes(request -> {
            List<Integer> partitions = request.partitions();
            return switch (request.of()) {
                case UserQuery<?> users ->
                    partitions == null ? nodes.ask(users) : answer(node, users, partitions, request.logPartitions());
                case LeaderboardQuery<?> board -> partitions == null ? nodes.ask(board) : node.ask(board, partitions);
                default -> null;
            };
        });
    }

    /** @param local the partitions of this delivery process */
    static PeerRequestRoutes ofDelivery(DeliveryPartitions local) {
        return new PeerRequestRoutes(
                request -> request.of() instanceof DeliveryQuery<?> deliveries && request.partitions() != null
                        ? deliveries.answer(local, request.partitions())
                        : null);
    }

    @Override
    public void mount(RouteTable routes) {
        routes.post(PeerRequest.PATH, RequiredRole.PEER, this::answer);
    }

    private void answer(Context context) throws IOException {
        PeerRequest request = PeerRequest.read(BodyLimits.read(context));
        if (request.maxLag() == null) {
            ReadAnswers.answer(context, answer(request));
            return;
        }
        var staleness = new Staleness(request.maxLag());
        Record result = ScopedValue.where(Staleness.CURRENT, staleness).call(() -> answer(request));
        PeerRelay.markStale(context, staleness);
        ReadAnswers.answer(context, result);
    }

    private Record answer(PeerRequest request) {
        Record result = answering.apply(request);
        if (result == null) {
            throw new HttpRefusal(422, "This process is not one that answers " + request.question() + ".");
        }
        return result;
    }

    private static Record answer(
            LocalNode node, UserQuery<?> query, List<Integer> partitions, @Nullable Integer logPartitions) {
        LogLayout layout = node.users().partitions().layout();
        if (logPartitions != null && logPartitions != layout.partitions()) {
            throw new NotReadyException("the request numbers the partitions of a log of " + logPartitions
                    + ", this node shows one of " + layout.partitions() + " at this moment");
        }
        return node.ask(query, partitions, layout);
    }
}
