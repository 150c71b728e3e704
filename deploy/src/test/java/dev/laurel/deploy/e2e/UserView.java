package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Reads everything about one user. */
final class UserView {

    private static final int MAX_AWARDS = 100;

    private final Function<String, JsonResponse> get;
    private final String path;

    /** @param get reads a path */
    UserView(Function<String, JsonResponse> get, String id) {
        this.get = get;
        this.path = "/v1/users/" + LaurelClient.encoded(id);
    }

    boolean exists() {
        JsonResponse answer = get.apply(path);
        if (answer.status() == 404) {
            answer.expectError(404);
            return false;
        }
        answer.expect(200);
        return true;
    }

    JsonNode profile() {
        return get.apply(path).expect(200).json();
    }

    BigDecimal total(String metric) {
        return get.apply(path + "/metrics/" + metric).expect(200).number("/current");
    }

    /** Returns points with the newest hundred awards. */
    JsonNode points(String system) {
        return get.apply(path + "/points/" + system + "?awards=" + MAX_AWARDS)
                .expect(200)
                .json();
    }

    long pointsTotal(String system) {
        return points(system).get("total").longValue();
    }

    JsonNode streak(int periods) {
        return get.apply(path + "/streak?historyPeriods=" + periods).expect(200).json();
    }

    /** Returns all achievements, completed or not. */
    JsonNode achievements() {
        return get.apply(path + "/achievements?includeIncomplete=true")
                .expect(200)
                .json();
    }

    /** Returns all reads about this user as one text to compare. */
    String everything() {
        return String.join(
                "\n",
                get.apply(path).text(),
                get.apply(path + "/metrics").text(),
                get.apply(path + "/points/gems?awards=100").text(),
                get.apply(path + "/points/shells?awards=100").text(),
                get.apply(path + "/streak?historyPeriods=30").text());
    }
}
