// SPDX-License-Identifier: Apache-2.0
/*
 * particles.cc uses MPI from C++: containers as buffers, a template that finds
 * the type of MPI, complex and bool, a class with a constructor as a type of
 * MPI, a reduction of the user's; particles wander from rank to rank.
 */
#include <algorithm>
#include <complex>
#include <cstddef>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <mpi.h>

template <typename T> MPI_Datatype type_of();
template <> MPI_Datatype type_of<int>() { return MPI_INT; }
template <> MPI_Datatype type_of<double>() { return MPI_DOUBLE; }
template <> MPI_Datatype type_of<char>() { return MPI_CHAR; }
template <> MPI_Datatype type_of<bool>() { return MPI_CXX_BOOL; }
template <> MPI_Datatype type_of<std::complex<float>>()
{
	return MPI_CXX_FLOAT_COMPLEX;
}
template <> MPI_Datatype type_of<std::complex<double>>()
{
	return MPI_CXX_DOUBLE_COMPLEX;
}

class Communicator
{
      public:
	explicit Communicator(MPI_Comm from) { MPI_Comm_dup(from, &comm); }
	~Communicator() { MPI_Comm_free(&comm); }
	Communicator(const Communicator &) = delete;
	Communicator &operator=(const Communicator &) = delete;

	int rank() const
	{
		int r;
		MPI_Comm_rank(comm, &r);
		return r;
	}
	int size() const
	{
		int n;
		MPI_Comm_size(comm, &n);
		return n;
	}
	template <typename T> T reduce(T value, MPI_Op op) const
	{
		T result{};
		MPI_Allreduce(&value, &result, 1, type_of<T>(), op, comm);
		return result;
	}
	template <typename T>
	std::vector<T> gather(const std::vector<T> &mine) const
	{
		int n = static_cast<int>(mine.size());
		std::vector<int> counts(size()), displs(size());
		MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
		std::partial_sum(counts.begin(), counts.end() - 1,
				 displs.begin() + 1);
		std::vector<T> all(displs.back() + counts.back());
		MPI_Allgatherv(mine.data(), n, type_of<T>(), all.data(),
			       counts.data(), displs.data(), type_of<T>(),
			       comm);
		return all;
	}
	MPI_Comm comm = MPI_COMM_NULL;
};

struct Particle {
	double x = 0, v = 0;
	int id = -1;
	bool marked = false;
};

static MPI_Datatype particle_type()
{
	int lengths[] = {2, 1, 1};
	MPI_Aint at[] = {offsetof(Particle, x), offsetof(Particle, id),
			 offsetof(Particle, marked)};
	MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT, MPI_CXX_BOOL};
	MPI_Datatype packed, type;

	MPI_Type_create_struct(3, lengths, at, types, &packed);
	MPI_Type_create_resized(packed, 0, sizeof(Particle), &type);
	MPI_Type_free(&packed);
	MPI_Type_commit(&type);
	return type;
}

static int wrong;

static void check(bool good, const char *what, int rank)
{
	if (!good) {
		std::cerr << "rank " << rank << ": " << what << "\n";
		wrong++;
	}
}

// Each goes to the rank that has its place, until all have been everywhere.
static void wander(const Communicator &c)
{
	const int n = c.size(), me = c.rank(), each = 25;
	MPI_Datatype type = particle_type();
	std::vector<Particle> mine(each);

	for (int k = 0; k < each; k++) {
		mine[k].x = me + (k + 0.5) / each;
		mine[k].v = k % 3 ? 1 : 2;
		mine[k].id = me * each + k;
		mine[k].marked = k % 2;
	}
	for (int step = 0; step < 2 * n; step++) {
		std::map<int, std::vector<Particle>> leaving;
		for (auto &p : mine) {
			p.x += p.v;
			p.x -= p.x >= n ? n * int(p.x / n) : 0;
			leaving[int(p.x)].push_back(p);
		}
		std::vector<MPI_Request> requests;
		for (int r = 0; r < n; r++) {
			auto &out = leaving[r];
			MPI_Request q;
			MPI_Isend(out.data(), int(out.size()), type, r, step,
				  c.comm, &q);
			requests.push_back(q);
		}
		mine.clear();
		for (int r = 0; r < n; r++) {
			MPI_Status s;
			int count;
			MPI_Probe(MPI_ANY_SOURCE, step, c.comm, &s);
			MPI_Get_count(&s, type, &count);
			std::vector<Particle> in(count);
			MPI_Recv(in.data(), count, type, s.MPI_SOURCE, step,
				 c.comm, MPI_STATUS_IGNORE);
			mine.insert(mine.end(), in.begin(), in.end());
		}
		MPI_Waitall(int(requests.size()), requests.data(),
			    MPI_STATUSES_IGNORE);
	}
	std::vector<int> ids;
	for (const auto &p : mine) {
		check(p.x >= me && p.x < me + 1, "a particle is lost", me);
		check(p.marked == (p.id % each % 2 != 0), "its mark", me);
		ids.push_back(p.id);
	}
	auto all = c.gather(ids);
	std::sort(all.begin(), all.end());
	std::vector<int> want(std::size_t(n) * each);
	std::iota(want.begin(), want.end(), 0);
	check(all == want, "not each particle is there once", me);
	MPI_Type_free(&type);
}

extern "C" void longest(void *in, void *inout, int *len, MPI_Datatype *)
{
	auto a = static_cast<const std::complex<double> *>(in);
	auto b = static_cast<std::complex<double> *>(inout);

	for (int i = 0; i < *len; i++)
		b[i] = std::abs(a[i]) > std::abs(b[i]) ? a[i] : b[i];
}

static void reductions(const Communicator &c)
{
	const int n = c.size(), me = c.rank();
	using namespace std::complex_literals;
	std::complex<double> z = double(me) + 1i;

	check(c.reduce(z, MPI_SUM) == n * (n - 1) / 2.0 + double(n) * 1i,
	      "a sum of complex", me);
	check(c.reduce(std::complex<float>(0, 1), MPI_PROD) ==
		  std::complex<float>(n % 4 == 0 ? 1 : n % 4 == 2 ? -1 : 0,
				      n % 4 == 1 ? 1 : n % 4 == 3 ? -1 : 0),
	      "a product of complex", me);
	check(c.reduce(true, MPI_LAND) && !c.reduce(me == 0 && n > 1, MPI_LAND),
	      "and of bool", me);
	check(c.reduce(me == n - 1, MPI_LOR), "or of bool", me);
	MPI_Op op;
	MPI_Op_create(longest, 1, &op);
	check(c.reduce(z, op) == double(n - 1) + 1i, "an own operation", me);
	MPI_Op_free(&op);
}

static void strings(const Communicator &c)
{
	std::string name = "rank " + std::to_string(c.rank()) + ";", want;
	auto all = c.gather(std::vector<char>(name.begin(), name.end()));

	for (int r = 0; r < c.size(); r++)
		want += "rank " + std::to_string(r) + ";";
	check(std::string(all.begin(), all.end()) == want, "names", c.rank());
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	int all = 0;
	{
		auto c = std::make_unique<Communicator>(MPI_COMM_WORLD);
		wander(*c);
		reductions(*c);
		strings(*c);
		all = c->reduce(wrong, MPI_SUM);
		if (c->rank() == 0)
			std::cout << "particles: " << all << " wrong\n";
	}
	MPI_Finalize();
	return all != 0;
}
