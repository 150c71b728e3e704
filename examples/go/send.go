// Sends an identification and an event to Laurel with sarama. Usage: send [BROKERS [TOPIC [USER]]]
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/Shopify/sarama" // now github.com/IBM/sarama
)

func argument(number int, otherwise string) string {
	if number < len(os.Args) {
		return os.Args[number]
	}
	return otherwise
}

func main() {
	brokers := strings.Split(argument(1, "127.0.0.1:9092"), ",")
	topic := argument(2, "laurel.direct")
	user := argument(3, "swimmer-12")
	// begin
	config := sarama.NewConfig()
	config.Version = sarama.V2_1_0_0
	config.Producer.RequiredAcks = sarama.WaitForAll
	config.Producer.Idempotent = true
	config.Net.MaxOpenRequests = 1
	config.Producer.Return.Successes = true
	producer, err := sarama.NewSyncProducer(brokers, config)
	if err != nil {
		log.Fatal(err)
	}
	defer producer.Close()
	send := func(kind string, command string, at time.Time) {
		key := strings.NewReplacer("%", "%25", "/", "%2F").Replace(user)
		partition, offset, err := producer.SendMessage(&sarama.ProducerMessage{
			Topic:     topic,
			Key:       sarama.StringEncoder(key),
			Value:     sarama.StringEncoder(command),
			Timestamp: at,
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s is stored at %s-%d@%d\n", kind, topic, partition, offset)
	}
	id, _ := json.Marshal(user)
	send("identify", fmt.Sprintf(`{"type":"identify","user":{"id":%s,"name":"Ida","tz":"Europe/Helsinki"}}`, id),
		time.Date(2026, 3, 4, 9, 13, 20, 0, time.UTC))
	send("event", fmt.Sprintf(`{"type":"event","metric":"laps-swum","value":12,"user":{"id":%s},"idempotencyKey":"swim-8843"}`, id),
		time.Date(2026, 3, 4, 9, 15, 0, 0, time.UTC))
	// end
}
