#!/usr/bin/env python3
"""Sends an identification and an event to Laurel with confluent-kafka. Usage: confluent.py [BROKERS [TOPIC [USER]]]"""
import json
import sys

from confluent_kafka import Producer

brokers, topic, user = (sys.argv[1:] + ["127.0.0.1:9092", "laurel.direct", "swimmer-12"][len(sys.argv) - 1:])[:3]
# begin
producer = Producer({"bootstrap.servers": brokers, "acks": "all", "enable.idempotence": True})


def report(error, record):
    print(error or f"stored at {record.topic()}-{record.partition()}@{record.offset()}: {record.value().decode()}")


def send(command, at_ms):
    key = command["user"]["id"].replace("%", "%25").replace("/", "%2F")
    producer.produce(topic, key=key, value=json.dumps(command), timestamp=at_ms, on_delivery=report)


send({"type": "identify", "user": {"id": user, "name": "Ida", "tz": "Europe/Helsinki"}}, 1772615600000)
send({"type": "event", "metric": "laps-swum", "value": 12, "user": {"id": user}, "idempotencyKey": "swim-8843"}, 1772615700000)
unsent = producer.flush(30)
# end
sys.exit(1 if unsent else 0)
