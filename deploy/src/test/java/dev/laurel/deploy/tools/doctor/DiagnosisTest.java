package dev.laurel.deploy.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class DiagnosisTest {

    private static final Finding OK = new Finding("topics", Status.ok, "", "11 topics exist", null);
    private static final Finding WARN =
            new Finding("groups", Status.warn, "laurel-ledger", "has never run", "deploy/laurel node");
    private static final Finding FAIL = new Finding("servers", Status.fail, "http://n1", "is away", "start it");

    @Test
    void shouldPrintOneLinePerFindingWithItsFix() {
        assertEquals("""
            ok    topics           11 topics exist
            warn  groups           laurel-ledger: has never run  → deploy/laurel node
            fail  servers          http://n1: is away  → start it
            fail: 1, warn: 1, ok: 1
            """, new Diagnosis(List.of(OK, WARN, FAIL)).lines());
    }

    @Test
    void shouldReturnWorstStatus() {
        assertEquals(Status.ok, new Diagnosis(List.of(OK)).status());
        assertEquals(Status.warn, new Diagnosis(List.of(WARN, OK)).status());
        assertEquals(Status.fail, new Diagnosis(List.of(OK, FAIL, WARN)).status());
    }

    @Test
    void shouldWriteFindingsAsJson() {
        JsonNode json = new JsonMapper().readTree(new Diagnosis(List.of(OK, WARN)).json());

        assertEquals("warn", json.get("status").asString());
        assertEquals(2, json.get("findings").size());
        assertEquals(
                "{\"check\":\"groups\",\"status\":\"warn\",\"subject\":\"laurel-ledger\",\"message\":\"has never run\","
                        + "\"fix\":\"deploy/laurel node\"}",
                json.at("/findings/1").toString());
        assertTrue(json.at("/findings/0/fix").isNull());
    }
}
