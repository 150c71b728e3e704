package dev.laurel.deploy.e2e;

import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.gateway.http.GatewayRoutes;
import dev.laurel.platform.access.AccessKeys;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A further gateway of an instance with its own settings: writes go through it, reads to the instance. */
final class ExtraGateway implements AutoCloseable {

    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();
    private final RulesetTable rulesets;
    private final AccessTable access;
    private final GenerationTable generations;
    private final Gateway gateway;
    private final HttpServer http;
    private final LaurelClient client;

    private ExtraGateway(LaurelInstance instance, GatewayConfig.Limits limits) throws InterruptedException {
        rulesets = new RulesetTable(Map.of("bootstrap.servers", instance.bootstrapServers()), fault::complete);
        rulesets.start();
        rulesets.awaitCaughtUp(Duration.ofSeconds(60));
        access = new AccessTable(Map.of("bootstrap.servers", instance.bootstrapServers()), fault::complete);
        access.start();
        access.awaitCaughtUp(Duration.ofSeconds(60));
        generations = new GenerationTable(Map.of("bootstrap.servers", instance.bootstrapServers()), fault::complete);
        generations.start();
        generations.awaitCaughtUp(Duration.ofSeconds(60));
        var config = new GatewayConfig(
                KafkaAccess.at(instance.bootstrapServers()), UUID.randomUUID().toString(), false, limits);
        var tables = new Gateway.Tables(rulesets, access, generations);
        gateway = Gateway.start(
                config,
                tables,
                new Gateway.Surroundings(
                        InstantSource.system(), Tracing.NONE, new LocalRecords(), new Metrics(), fault::complete));
        http = TestServer.start(
                new HttpSettings.Address("127.0.0.1", 0),
                new AccessKeys(access.index(), rulesets, _ -> {}, _ -> {}, InstantSource.system()),
                List.of(GatewayRoutes.of(gateway, config, tables, InstantSource.system())));
        client = new LaurelClient("http://127.0.0.1:" + http.port(), instance.adminKey());
    }

    static ExtraGateway start(LaurelInstance instance, GatewayConfig.Limits limits) throws InterruptedException {
        return new ExtraGateway(instance, limits);
    }

    LaurelClient client() {
        return client;
    }

    /** Returns the fault that stopped the gateway; null: none. */
    Throwable fault() {
        return fault.getNow(null);
    }

    @Override
    public void close() {
        client.close();
        http.close();
        gateway.close();
        generations.close();
        access.close();
        rulesets.close();
    }
}
