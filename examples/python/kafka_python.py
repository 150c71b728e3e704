#!/usr/bin/env python3
"""Sends an identification and an event to Laurel with kafka-python. Usage: kafka_python.py [BROKERS [TOPIC [USER]]]"""
import json
import sys

from kafka import KafkaProducer

brokers, topic, user = (sys.argv[1:] + ["127.0.0.1:9092", "laurel.direct", "swimmer-12"][len(sys.argv) - 1:])[:3]
producer = KafkaProducer(bootstrap_servers=brokers, acks="all", api_version=(2, 1),
                         key_serializer=lambda key: key.replace("%", "%25").replace("/", "%2F").encode(),
                         value_serializer=lambda command: json.dumps(command).encode())


def send(command, at_ms):
    place = producer.send(topic, key=command["user"]["id"], value=command, timestamp_ms=at_ms).get(timeout=30)
    print(f"{command['type']} is stored at {place.topic}-{place.partition}@{place.offset}")


send({"type": "identify", "user": {"id": user, "name": "Ida", "tz": "Europe/Helsinki"}}, 1772615600000)
send({"type": "event", "metric": "laps-swum", "value": 12, "user": {"id": user}, "idempotencyKey": "swim-8843"}, 1772615700000)
producer.close()
