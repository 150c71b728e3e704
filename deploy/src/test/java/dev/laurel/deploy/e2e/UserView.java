package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;

/** Reads everything about one user. */
final class UserView {

    private static final int MAX_AWARDS = 100;

    private final LaurelClient client;
    private final String path;

    UserView(LaurelClient client, String id) {
        this.client = client;
        this.path = "/v1/users/" + LaurelClient.encoded(id);
    }

    boolean exists() {
        JsonResponse answer = client.get(path);
        if (answer.status() == 404) {
            answer.expectError(404);
            return false;
        }
        answer.expect(200);
        return true;
    }

    JsonNode profile() {
        return client.get(path).expect(200).json();
    }

    BigDecimal total(String metric) {
        return client.get(path + "/metrics/" + metric).expect(200).number("/current");
    }

    /** Returns points with the newest hundred awards. */
    JsonNode points(String system) {
        return client.get(path + "/points/" + system + "?awards=" + MAX_AWARDS).expect(200).json();
    }

    long pointsTotal(String system) {
        return points(system).get("total").longValue();
    }

    JsonNode streak(int periods) {
        return client.get(path + "/streak?historyPeriods=" + periods).expect(200).json();
    }

    /** Returns all achievements, completed or not. */
    JsonNode achievements() {
        return client.get(path + "/achievements?includeIncomplete=true").expect(200).json();
    }

    /** Returns all reads about this user as one text to compare. */
    String everything() {
        return String.join("\n", client.get(path).text(), client.get(path + "/metrics").text(),
                client.get(path + "/points/gems?awards=100").text(),
                client.get(path + "/points/shells?awards=100").text(),
                client.get(path + "/streak?historyPeriods=30").text());
    }
}
