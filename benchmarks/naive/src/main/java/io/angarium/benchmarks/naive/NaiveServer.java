package io.angarium.benchmarks.naive;

import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.HalfByHand;
import io.angarium.benchmarks.arm.Variant;
import io.angarium.benchmarks.arm.WaitingSender;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * A message centre as one writes it first: a Spring Boot application, a request for each call and a
 * transaction for each request, and a job that sends what is committed.
 */
@SpringBootApplication
@EnableScheduling
@RestController
public class NaiveServer {
  private final HalfByHand half;

  NaiveServer(DataSource dataSource) {
    this.half = new HalfByHand(dataSource);
  }

  @Bean
  WaitingSender sender(
      @Value("${naive.broker}") String broker, @Value("${naive.topic}") String topic) {
    return new WaitingSender(
        new ArmSettings(
            DatabaseKind.POSTGRESQL, // whichever: of no concern to what sends
            "",
            "",
            "",
            BrokerKind.KAFKA,
            broker,
            topic,
            Variant.TUNED,
            Map.of()));
  }

  @Bean
  NaiveSending sending(DataSource dataSource, WaitingSender sender) {
    return new NaiveSending(dataSource, sender);
  }

  /** Starts it; the arguments are properties of Spring Boot. */
  public static void main(String[] args) {
    SpringApplication.run(NaiveServer.class, args);
  }

  @EventListener
  void started(WebServerInitializedEvent event) {
    System.out.println("running on http://127.0.0.1:" + event.getWebServer().getPort());
  }

  @PostMapping("/prepare/{key}")
  void prepare(@PathVariable String key, @RequestBody byte[] payload) throws SQLException {
    half.prepare(key, payload);
  }

  @PostMapping("/commit/{key}")
  void commit(@PathVariable String key) throws SQLException {
    half.commit(key);
  }
}
