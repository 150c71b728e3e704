package dev.laurel.deploy.tools.stats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.serde.Json;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StatsTextTest {

    private static String text(String report, boolean hasCharts) {
        return new StatsText(Json.read(report.replace('\'', '"').getBytes(UTF_8), JsonNode.class)).text(hasCharts);
    }

    @Test
    void shouldPrintATablePerSeries() {
        assertEquals("""
            active-users, plan pro
            day         dau  stickiness
            2026-03-01    8       0.125
            2026-03-02    0           -

            active-users, plan (none)
            day         dau  stickiness
            2026-03-01    1           1
            2026-03-02    2           1
            """, text("""
                {'report':'active-users','granularity':'day','periods':['2026-03-01','2026-03-02'],'series':[
                 {'segment':{'plan':'pro'},'dau':[8,0],'stickiness':[0.125,null]},
                 {'segment':{'plan':null},'dau':[1,2],'stickiness':[1,1]}]}\
                """, false));
    }

    @Test
    void shouldPrintARowForEachPlaceOfARanking() {
        assertEquals("""
            top-users, last 30 days, metric laps
               id   name    value
            1  ann  Ann        12
            2  bob  -     10000.5
            """, text("""
                {'report':'top-users','range':'30d','periods':[],'series':[{'metric':'laps','id':['ann','bob'],
                 'name':['Ann',null],'value':[12,10000.5]}]}\
                """, true));
    }

    @Test
    void shouldShowAHistogramInOneRow() {
        String report = """
            {'report':'leaderboards','granularity':'day','periods':['2026-03-01','2026-03-02'],'series':[
             {'leaderboard':'top','run':'2026-03-01','participants':3,'changedRank':1,'rankChanges':[0,2],
              'lowest':0.5,'highest':10,'histogram':{'1':2,'2':0,'3':1}}]}\
            """;

        assertEquals("""
            leaderboards, leaderboard top, run 2026-03-01
            day         rankChanges
            2026-03-01            0
            2026-03-02            2
            participants      3
            changedRank       1
            lowest          0.5
            highest          10
            histogram     2 0 1
            """, text(report, false));
        assertTrue(text(report, true).contains("""
            rankChanges  ▁█        0        2
            histogram    █▁▅       0        2
            """), text(report, true));
    }

    @Test
    void shouldDrawAChartOfEachColumn() {
        String text = text("""
            {'report':'events','granularity':'day','periods':['2026-03-01','2026-03-02','2026-03-03','2026-03-04'],
             'series':[{'metric':'laps','events':[0,7,14,null],'value':[0,0,0,0]}]}\
            """, true);

        assertTrue(text.startsWith("""
            events, metric laps
                          lowest  highest
            events  ▁▅█        0       14
            value   ▁▁▁▁       0        0

            day \
            """), text);
    }

    @Test
    void shouldChartLongSeriesByAverages() {
        String periods =
                IntStream.range(0, 120).mapToObj(i -> "'day-" + i + "'").collect(Collectors.joining(","));
        String values =
                IntStream.range(0, 120).mapToObj(i -> i < 60 ? "0" : "5").collect(Collectors.joining(","));

        String text = text(
                "{'report':'events','granularity':'day','periods':[" + periods + "],'series':[{'events':[" + values
                        + "]}]}",
                true);

        assertTrue(text.contains(" " + "▁".repeat(30) + "█".repeat(30) + " "), text);
    }

    @Test
    void shouldShowSomeDaysOfACurveAndTheTriggersOfASystem() {
        String curve = IntStream.rangeClosed(0, 90).mapToObj(Integer::toString).collect(Collectors.joining(","));

        assertEquals(
                """
                retention
                month       size  exact 1  exact 7  exact 14  exact 30  exact 60  exact 90
                2026-03-01    10        1        7        14        30        60        90
                """,
                text(
                        "{'report':'retention','granularity':'month','periods':['2026-03-01'],'series':[{'size':[10],"
                                + "'exact':[[" + curve + "]]}]}",
                        false));
        assertEquals(
                """
                points, system xp
                day         byTrigger.each
                2026-03-01               4
                """,
                text(
                        "{'report':'points','granularity':'day','periods':['2026-03-01'],'series':[{'system':'xp',"
                                + "'byTrigger':{'each':[4]}}]}",
                        false));
    }

    @Test
    void shouldPrintValuesWithoutPeriods() {
        assertEquals("""
            impact
            days                  14
            lift                   -
            interval     -0.1 to 0.2
            lengths 1-2            5
            """, text("""
                {'report':'impact','granularity':'day','periods':[],'series':[
                 {'days':14,'lift':null,'interval':[-0.1,0.2],'lengths':{'1-2':5}}]}\
                """, false));
    }
}
