package dev.laurel.processors.delivery.push;

import dev.laurel.processors.delivery.message.MessageSender;
import dev.laurel.processors.delivery.message.OutMessage;
import dev.laurel.processors.delivery.message.Rendered;
import dev.laurel.processors.delivery.message.SendResult;
import dev.laurel.schemas.access.AccessView;
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
 * Sends push messages to the devices of a user, through the services that the tenant has set up (admin-api.md B4): see
 * {@link Carrier} for which token is whose. The devices are served side by side.
 *
 * <p>Nothing goes out twice, so one answer is made of all devices' in this order: where a service has taken the message for
 * one of them, it is {@code Sent}, and those that failed for a time do without; else where the answer for one of them was
 * lost, it is {@code Doubtful}; else where one failed for a time, it is {@code NotSent}, and dead tokens are found again by
 * the next attempt; else it is {@code Refused}.
 *
 * <p>Services that are not set up, or not properly, are refusals that name the setting. Nothing is contacted before the first
 * message, and no secret is logged. {@link #send} takes up to two minutes: a place, an access token and the message may each take
 * the timeout. {@link #close} may be called while messages are under way; they end as if connections were lost.
 */
public final class PushSender implements MessageSender, AutoCloseable {

    private static final int MAX_REASONS = 5;

    private record Batch(PushService service, List<String> tokens) {}

    private final PushServices services;
    private final Function<OutMessage, Rendered> rendering;

    /** @param rendering what a message says: {@link Rendered.Push} or {@link Rendered.Refused} */
    public PushSender(AccessView access, Function<OutMessage, Rendered> rendering) {
        this(access, rendering, PushEndpoints.REAL, InstantSource.system());
    }

    /** @param clock the real time, also where a test clock runs: services compare it with theirs */
    public PushSender(AccessView access, Function<OutMessage, Rendered> rendering, PushEndpoints endpoints,
            InstantSource clock) {
        this.services = new PushServices(access, endpoints, clock);
        this.rendering = rendering;
    }

    @Override
    public SendResult send(OutMessage message) throws InterruptedException {
        List<String> tokens = tokens(message.facts());
        if (tokens.isEmpty()) {
            return new SendResult.Refused("the user has no device token", List.of());
        }
        return switch (rendering.apply(message)) {
            case Rendered.Push(String title, String body) ->
                result(push(message.user().tenant(), new PushNote(message.id(), message.type(), title, body), tokens));
            case Rendered.Refused(String reason) -> new SendResult.Refused(reason, List.of());
            case Rendered.Email _ -> throw new IllegalArgumentException("an email is no push message: " + message.id());
        };
    }

    private static List<String> tokens(Map<String, Object> facts) {
        return facts.get("user") instanceof Map<?, ?> user && user.get("deviceTokens") instanceof List<?> tokens
                ? tokens.stream().map(String::valueOf).distinct().toList()
                : List.of();
    }

    /** What became of each token. */
    private Map<String, TokenFate> push(TenantId tenant, PushNote note, List<String> tokens)
            throws InterruptedException {
        List<Batch> batches = batches(tenant, tokens);
        var calls = new ArrayList<Callable<List<TokenFate>>>();
        batches.forEach(batch -> calls.add(() -> batch.service().push(note, batch.tokens())));
        List<Future<List<TokenFate>>> answers;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = threads.invokeAll(calls);
        }
        var fates = new LinkedHashMap<String, TokenFate>();
        for (int i = 0; i < batches.size(); i++) {
            List<String> named = batches.get(i).tokens();
            List<TokenFate> theirs = resultOf(answers.get(i));
            for (int t = 0; t < named.size(); t++) {
                fates.put(named.get(t), theirs.get(t));
            }
        }
        return fates;
    }

    private List<Batch> batches(TenantId tenant, List<String> tokens) {
        Map<Carrier, List<String>> byCarrier = tokens.stream()
                .collect(Collectors.groupingBy(Carrier::of, () -> new EnumMap<>(Carrier.class), Collectors.toList()));
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

    private static List<TokenFate> resultOf(Future<List<TokenFate>> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a push message could not be handed over", e.getCause());
        }
    }

    private static SendResult result(Map<String, TokenFate> fates) {
        var dead = new ArrayList<String>();
        var refusals = new ArrayList<String>();
        var failures = new ArrayList<String>();
        var losses = new ArrayList<String>();
        boolean isTaken = false;
        for (Map.Entry<String, TokenFate> entry : fates.entrySet()) {
            switch (entry.getValue()) {
                case TokenFate.Accepted _ -> isTaken = true;
                case TokenFate.Dead _ -> dead.add(entry.getKey());
                case TokenFate.Refused(String reason) -> refusals.add(reason);
                case TokenFate.NotSent(String reason) -> failures.add(reason);
                case TokenFate.Lost(String reason) -> losses.add(reason);
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

    /** Ends all connections. */
    @Override
    public void close() {
        services.close();
    }
}
