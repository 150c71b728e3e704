package dev.laurel.processors.delivery.push;

import dev.laurel.processors.delivery.message.MessageRenderer.Rendered;
import dev.laurel.processors.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.processors.delivery.message.MessageSender.SendResult;
import dev.laurel.processors.delivery.message.MessageSender;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.key.TenantId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Sends push messages to the devices of a user, through the services that the tenant has set up (docs/admin-api.md B4).
 * {@link PushProvider} tells the service of a token. Devices are served in parallel.
 *
 * <p>Nothing is sent twice, so the outcomes of all devices become one, in this order: {@code Sent} if a service has accepted the
 * message for one of them, and devices with a temporary failure do not receive it; {@code Doubtful} if a response was lost;
 * {@code NotSent} if one had a temporary failure, and the next attempt finds dead tokens again; else {@code Refused}.
 *
 * <p>A service that is missing or has wrong settings is a refusal that names the setting. No connection is opened before the first
 * message, and no secret is logged. {@link #send} takes up to two minutes: a permit, an access token and the message may each take
 * the timeout. {@link #close} may be called while messages are in flight; they end as if connections were lost.
 */
public final class PushSender implements MessageSender, AutoCloseable {

    private static final int MAX_REASONS = 5;

    private record Batch(PushService service, List<String> tokens) {}

    private final PushServices services;
    private final Function<OutgoingMessage, Rendered> rendering;

    /** @param rendering makes {@link Rendered.Push} or {@link Rendered.Refused} of a message */
    public PushSender(AccessView access, Function<OutgoingMessage, Rendered> rendering) {
        this(access, rendering, PushEndpoints.REAL, InstantSource.system());
    }

    /** @param clock real time, also if the instance has a test clock: services compare it with theirs */
    public PushSender(AccessView access, Function<OutgoingMessage, Rendered> rendering, PushEndpoints endpoints,
            InstantSource clock) {
        this.services = new PushServices(access, endpoints, clock);
        this.rendering = rendering;
    }

    @Override
    public SendResult send(OutgoingMessage message) throws InterruptedException {
        List<String> tokens = tokens(message.facts());
        if (tokens.isEmpty()) {
            return new SendResult.Refused("the user has no device token", List.of());
        }
        return switch (rendering.apply(message)) {
            case Rendered.Push(String title, String body) ->
                result(push(message.user().tenant(), new PushNotification(message.id(), message.type(), title, body),
                        tokens));
            case Rendered.Refused(String reason) -> new SendResult.Refused(reason, List.of());
            case Rendered.Email _ -> throw new IllegalArgumentException("an email is no push message: " + message.id());
        };
    }

    private static List<String> tokens(Map<String, Object> facts) {
        return facts.get("user") instanceof Map<?, ?> user && user.get("deviceTokens") instanceof List<?> tokens
                ? tokens.stream().map(String::valueOf).distinct().toList()
                : List.of();
    }

    /** The result of each token. */
    private Map<String, TokenResult> push(TenantId tenant, PushNotification note, List<String> tokens)
            throws InterruptedException {
        List<Batch> batches = batches(tenant, tokens);
        var calls = new ArrayList<Callable<List<TokenResult>>>();
        batches.forEach(batch -> calls.add(() -> batch.service().push(note, batch.tokens())));
        List<Future<List<TokenResult>>> answers;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = threads.invokeAll(calls);
        }
        var results = new LinkedHashMap<String, TokenResult>();
        for (int i = 0; i < batches.size(); i++) {
            List<String> named = batches.get(i).tokens();
            List<TokenResult> theirs = resultOf(answers.get(i));
            for (int t = 0; t < named.size(); t++) {
                results.put(named.get(t), theirs.get(t));
            }
        }
        return results;
    }

    private List<Batch> batches(TenantId tenant, List<String> tokens) {
        Map<PushProvider, List<String>> byCarrier = tokens.stream()
                .collect(Collectors.groupingBy(PushProvider::of, () -> new EnumMap<>(PushProvider.class),
                        Collectors.toList()));
        var batches = new ArrayList<Batch>();
        byCarrier.forEach((carrier, theirs) -> {
            PushService service = services.of(tenant, carrier);
            for (int from = 0; from < theirs.size();) {
                int to = (int) Math.min(theirs.size(), (long) from + service.maxTokens());
                batches.add(new Batch(service, theirs.subList(from, to)));
                from = to;
            }
        });
        return batches;
    }

    private static List<TokenResult> resultOf(Future<List<TokenResult>> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A push message could not be sent", e.getCause());
        }
    }

    private static SendResult result(Map<String, TokenResult> results) {
        var dead = new ArrayList<String>();
        var refusals = new ArrayList<String>();
        var failures = new ArrayList<String>();
        var losses = new ArrayList<String>();
        boolean isTaken = false;
        for (Map.Entry<String, TokenResult> entry : results.entrySet()) {
            switch (entry.getValue()) {
                case TokenResult.Accepted _ -> isTaken = true;
                case TokenResult.Dead _ -> dead.add(entry.getKey());
                case TokenResult.Refused(String reason) -> refusals.add(reason);
                case TokenResult.NotSent(String reason) -> failures.add(reason);
                case TokenResult.Lost(String reason) -> losses.add(reason);
            }
        }
        if (isTaken) {
            return new SendResult.Sent(dead);
        } else if (!losses.isEmpty()) {
            return new SendResult.Doubtful(said(losses));
        } else if (!failures.isEmpty()) {
            return new SendResult.NotSent(said(failures));
        }
        return new SendResult.Refused(refusals.isEmpty() ? "all device tokens are gone" : said(refusals), dead);
    }

    private static String said(List<String> reasons) {
        return reasons.stream().distinct().limit(MAX_REASONS).collect(Collectors.joining("; "));
    }

    /** Closes all connections. */
    @Override
    public void close() {
        services.close();
    }
}
