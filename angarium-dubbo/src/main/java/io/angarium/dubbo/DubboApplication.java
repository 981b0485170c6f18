package io.angarium.dubbo;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Dubbo of our own beside the one that the process may have. Thread-safe.
 *
 * <p>Dubbo loads classes and extensions when it first needs them. If the thread that does so is
 * interrupted, what it was loading stays broken, some of it for the whole process. So Dubbo runs on
 * threads that nobody interrupts.
 */
final class DubboApplication implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DubboApplication.class);
  private static final int LEAVE_SECONDS = 5;

  private final ExecutorService threads;
  private final ModuleModel module;

  private DubboApplication(String name, ExecutorService threads) {
    this.threads = threads;
    try {
      module = call(() -> create(name));
    } catch (RuntimeException | Error e) {
      threads.shutdown();
      throw e;
    }
  }

  /**
   * Opens one.
   *
   * @param name how registries and other applications know it
   */
  static DubboApplication open(String name) {
    return open(name, Executors.newCachedThreadPool(DubboApplication::thread));
  }

  /**
   * Opens one.
   *
   * @param threads on which it is used; belong to it from now on
   */
  static DubboApplication open(String name, ExecutorService threads) {
    return new DubboApplication(name, threads);
  }

  private static ModuleModel create(String name) {
    DubboJson.choose();
    FrameworkModel.defaultModel(); // the first one made is the default for everybody: not ours
    URL.valueOf("dubbo://127.0.0.1?side=consumer"); // loads the table of parameters
    ApplicationModel application = new FrameworkModel().newApplication();
    ApplicationConfig config = new ApplicationConfig(application, name);
    config.setQosEnable(false); // it opens a port for commands
    config.setEnableFileCache(false); // it writes below the home folder
    config.setRegisterMode("interface"); // the other one opens one more port, on all addresses
    application.getApplicationConfigManager().setApplication(config);
    DubboMapping.create(application);
    return application.newModule();
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "angarium-dubbo");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Calls Dubbo on a thread that nobody interrupts, and waits, not interruptibly, for the result.
   *
   * @throws java.util.concurrent.RejectedExecutionException if it is closed
   */
  <T> T call(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, threads).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      } else if (e.getCause() instanceof Error error) {
        throw error;
      } else {
        throw e;
      }
    }
  }

  /** Makes an object available to extensions. */
  void share(Object shared) {
    module.getApplicationModel().getBeanFactory().registerBean(shared);
  }

  ModuleModel module() {
    return module;
  }

  /** Ends everything that is offered or referred to. May be called twice. */
  @Override
  public synchronized void close() {
    if (!threads.isShutdown()) {
      threads.shutdown();
      CompletableFuture.runAsync(this::end, work -> thread(work).start()).join();
    }
  }

  /** What still connects while Dubbo ends would leave a shutdown hook behind. */
  private void end() {
    try {
      boolean left = threads.awaitTermination(LEAVE_SECONDS, TimeUnit.SECONDS);
      LOG.debug("Dubbo ends; all threads have left it: {}", left);
    } catch (InterruptedException e) {
      throw new AssertionError("nobody knows this thread", e);
    }
    module.getApplicationModel().getFrameworkModel().destroy();
  }
}
