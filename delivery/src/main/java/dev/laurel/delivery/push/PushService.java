package dev.laurel.delivery.push;

import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A push service with the credentials of one tenant. Blocks; thread-safe. */
interface PushService extends AutoCloseable {

    /** The most tokens of one request. */
    int maxTokens();

    /** @return the result of each token, in their order */
    List<TokenResult> push(PushNotification note, List<String> tokens) throws InterruptedException;

    /** Closes connections; requests in flight still get their answers. */
    @Override
    default void close() {}

    /** The outcome of a message for one device token. */
    sealed interface TokenResult {

        /** The service has the message. */
        record Accepted() implements TokenResult {}

        /** The token no longer exists, says the service. */
        record Dead() implements TokenResult {}

        /** The service refuses the message, and will refuse it again. */
        record Refused(String reason) implements TokenResult {}

        /** The message was certainly not sent; another attempt may succeed. */
        record NotSent(String reason) implements TokenResult {}

        /** The message was sent and got no response. */
        record Lost(String reason) implements TokenResult {}

        /**
         * The result of a status that says nothing about the token. A 502 or 504 comes from a proxy that got no response from the
         * service, so it is unknown whether the service has the message; other 5xx mean that it has not.
         *
         * @param code of the service; null: none
         */
        static TokenResult ofStatus(String service, int status, @Nullable String code) {
            String reason = service + " answers " + status + (code == null ? "" : " " + code);
            if (status == 502 || status == 504) {
                return new Lost(reason);
            }
            return status == 429 || status >= 500 ? new NotSent(reason) : new Refused(reason);
        }
    }

    /** A service that cannot be used. */
    record Unusable(TokenResult result) implements PushService {

        @Override
        public int maxTokens() {
            return Integer.MAX_VALUE;
        }

        @Override
        public List<TokenResult> push(PushNotification note, List<String> tokens) {
            return Collections.nCopies(tokens.size(), result);
        }
    }

    /**
     * A rendered message, the same for all devices of a user.
     *
     * @param delivery id of the delivery, the same for all attempts: devices show one message per id, if their service supports that
     */
    record PushNotification(UUID delivery, NotificationType type, String title, String body) {

        /** The time for which a service stores the message for a device that is off. */
        static final Duration TIME_TO_LIVE = Duration.ofHours(24);

        /** The title and the body, under the names that all services use. */
        Map<String, Object> text() {
            var text = new LinkedHashMap<String, Object>();
            if (!title.isEmpty()) {
                text.put("title", title);
            }
            text.put("body", body);
            return text;
        }

        /** Fields for the app. */
        Map<String, Object> forApp() {
            var fields = new LinkedHashMap<String, Object>();
            fields.put("type", IssueList.word(type));
            fields.put("deliveryId", delivery.toString());
            return fields;
        }
    }
}
