// Ranks by MPI; the only file that includes it.
#include "tournaments/cluster/ranks.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

namespace croupier::tournaments {
namespace {

// Waits by sleeping: MPI's own waiting would use a whole core per thread.
class Patience {
  public:
    void wait() {
        std::this_thread::sleep_for(length_);
        length_ = std::min(length_ * 2, kLongest);
    }

  private:
    static constexpr std::chrono::microseconds kLongest{500};
    std::chrono::microseconds length_{10};
};

// Every call of MPI is short and made under one lock, so that MPI need not support threads, and two
// ends that send to each other cannot deadlock.
class MpiChannel : public Channel {
  public:
    MpiChannel(std::mutex& mutex, int rank, int number, std::function<bool()> give_up)
        : mutex_(mutex), rank_(rank), number_(number), give_up_(std::move(give_up)) {}

    void send(std::string_view message) override {
        MPI_Request request{};
        {
            const std::lock_guard lock(mutex_);
            MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_CHAR, rank_, number_,
                      MPI_COMM_WORLD, &request);
        }
        const auto sent = [&] {
            int done = 0;
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            return done != 0;
        };
        wait_until(sent);
    }

    std::optional<std::string> receive() override {
        std::string message;
        const auto received = [&] {
            int there = 0;
            MPI_Status status{};
            MPI_Iprobe(rank_, number_, MPI_COMM_WORLD, &there, &status);
            if (there == 0) return false;
            int size = 0;
            MPI_Get_count(&status, MPI_CHAR, &size);
            message.resize(static_cast<std::size_t>(size));
            MPI_Recv(message.data(), size, MPI_CHAR, rank_, number_, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            return true;
        };
        if (!wait_until(received)) return std::nullopt;
        return message;
    }

  private:
    template <class Done>
    bool wait_until(const Done& done) {
        Patience patience;
        for (;;) {
            {
                const std::lock_guard lock(mutex_);
                if (done()) return true;
            }
            if (give_up_()) return false;
            patience.wait();
        }
    }

    std::mutex& mutex_;
    int rank_;
    int number_;
    std::function<bool()> give_up_;
};

class MpiRanks : public Ranks {
  public:
    MpiRanks() {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm here{};
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
        MPI_Comm_size(here, &neighbours_);
        MPI_Comm_free(&here);
    }
    ~MpiRanks() override {
        if (!abandoned_) MPI_Finalize();
    }
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    [[nodiscard]] std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
    [[nodiscard]] std::size_t size() const override { return static_cast<std::size_t>(size_); }
    [[nodiscard]] std::size_t neighbours() const override {
        return static_cast<std::size_t>(neighbours_);
    }
    std::unique_ptr<Channel> channel(std::size_t rank, int number,
                                     std::function<bool()> give_up) override {
        return std::make_unique<MpiChannel>(mutex_, static_cast<int>(rank), number,
                                            std::move(give_up));
    }
    void abandon() override { abandoned_ = true; }

  private:
    int rank_ = 0;
    int size_ = 1;
    int neighbours_ = 1;
    bool abandoned_ = false;
    std::mutex mutex_;
};

} // namespace

bool has_ranks() {
    return true;
}

std::unique_ptr<Ranks> join_ranks() {
    return std::make_unique<MpiRanks>();
}

} // namespace croupier::tournaments
