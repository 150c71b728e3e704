package dev.laurel.delivery.push;

import static dev.laurel.delivery.message.MessageSender.SendResult.refused;

import dev.laurel.delivery.message.MessageRenderer;
import dev.laurel.delivery.message.MessageRenderer.Rendered;
import dev.laurel.delivery.message.MessageSender;
import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.delivery.push.PushHttp.PushEndpoints;
import dev.laurel.delivery.push.PushService.PushNotification;
import dev.laurel.delivery.push.PushService.TokenResult;
import dev.laurel.delivery.push.PushServices.PushProvider;
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
import java.util.stream.Collectors;

/**
 * Sends push messages to the devices of a user, through the services that the tenant has configured (docs/admin-api.md B4).
 * {@link PushProvider} determines the service of a token. Sends to all devices in parallel.
 *
 * <p>Nothing is sent twice, so the outcomes of all devices become one: {@code Sent} if a service has accepted the message for one
 * device, in which case devices with a temporary failure do not receive it; else {@code Doubtful} if a response was lost; else
 * {@code NotSent} if a device had a temporary failure, in which case the next attempt finds dead tokens again; else {@code Refused}.
 *
 * <p>A service with missing or wrong settings leads to a refusal that names the setting. No connection is opened before the first
 * message, and no secret is logged. {@link #send} takes up to two minutes: a permit, an access token and the message may each take
 * the timeout. {@link #close} may be called while messages are in flight; they end as if their connections were lost.
 */
public final class PushSender implements MessageSender, AutoCloseable {

    private static final int MAX_REASONS = 5;

    private record Batch(PushService service, List<String> tokens) {}

    private final PushServices services;

    public PushSender(AccessView access) {
        this(access, PushEndpoints.REAL, InstantSource.system());
    }

    /** @param clock real time, even if the instance has a test clock: services compare it with their clocks */
    PushSender(AccessView access, PushEndpoints endpoints, InstantSource clock) {
        this.services = new PushServices(access, endpoints, clock);
    }

    @Override
    public SendResult send(OutgoingMessage message) throws InterruptedException {
        List<String> tokens = tokens(message.values());
        if (tokens.isEmpty()) {
            return refused("the user has no device token");
        }
        return switch (MessageRenderer.of(
                message.channel(), message.text(), message.values(), message.sender(), message.branding(), null)) {
            case Rendered.Push(String title, String body) ->
                result(push(
                        message.user().tenant(),
                        new PushNotification(message.id(), message.type(), title, body),
                        tokens));
            case Rendered.Refused(String reason) -> refused(reason);
            case Rendered.Email _ -> throw new IllegalArgumentException("an email is no push message: " + message.id());
        };
    }

    private static List<String> tokens(Map<String, Object> values) {
        return values.get("user") instanceof Map<?, ?> user && user.get("deviceTokens") instanceof List<?> tokens
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
        Map<PushProvider, List<String>> byProvider = tokens.stream()
                .collect(Collectors.groupingBy(
                        PushProvider::of, () -> new EnumMap<>(PushProvider.class), Collectors.toList()));
        var batches = new ArrayList<Batch>();
        byProvider.forEach((provider, theirs) -> {
            PushService service = services.of(tenant, provider);
            for (int from = 0; from < theirs.size(); ) {
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
        boolean isAccepted = false;
        for (Map.Entry<String, TokenResult> entry : results.entrySet()) {
            switch (entry.getValue()) {
                case TokenResult.Accepted _ -> isAccepted = true;
                case TokenResult.Dead _ -> dead.add(entry.getKey());
                case TokenResult.Refused(String reason) -> refusals.add(reason);
                case TokenResult.NotSent(String reason) -> failures.add(reason);
                case TokenResult.Lost(String reason) -> losses.add(reason);
            }
        }
        if (isAccepted) {
            return new SendResult.Sent(dead);
        } else if (!losses.isEmpty()) {
            return new SendResult.Doubtful(joined(losses));
        } else if (!failures.isEmpty()) {
            return new SendResult.NotSent(joined(failures));
        }
        return refusals.isEmpty()
                ? new SendResult.Refused("all device tokens are gone", dead, true)
                : new SendResult.Refused(joined(refusals), dead);
    }

    private static String joined(List<String> reasons) {
        return reasons.stream().distinct().limit(MAX_REASONS).collect(Collectors.joining("; "));
    }

    /** Closes all connections. */
    @Override
    public void close() {
        services.close();
    }
}
